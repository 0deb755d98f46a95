import { mavenJars } from '../test/mavenJars.mjs';

/** Apache Cassandra from Maven Central (64 MB). @param {string} folder @returns {Promise<Record<string, string>>} */
export const install = async (folder) => ({
  MILLRACE_TEST_CASSANDRA: await mavenJars(folder, 'org.apache.cassandra:cassandra-all:5.0.2'),
});
