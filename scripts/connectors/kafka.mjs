import { mavenJars } from '../test/mavenJars.mjs';

/** Apache Kafka from Maven Central (43 MB). @param {string} folder @returns {Promise<Record<string, string>>} */
export const install = async (folder) => ({
  MILLRACE_TEST_KAFKA: await mavenJars(folder, 'org.apache.kafka:kafka_2.13:4.1.0'),
});
