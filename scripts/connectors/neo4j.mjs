import { mavenJars } from '../test/mavenJars.mjs';

/** Neo4j Community Edition from Maven Central (125 MB). @param {string} folder @returns {Promise<Record<string, string>>} */
export const install = async (folder) => ({
  MILLRACE_TEST_NEO4J: await mavenJars(folder, 'org.neo4j:neo4j:5.26.0'),
});
