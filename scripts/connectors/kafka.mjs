import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Apache Kafka and everything it needs, from Maven Central (43 MB). */
const jars = [
  'com.dynatrace.hash4j:hash4j:0.22.0',
  'com.fasterxml.jackson.core:jackson-annotations:2.19.0',
  'com.fasterxml.jackson.core:jackson-core:2.19.0',
  'com.fasterxml.jackson.core:jackson-databind:2.19.0',
  'com.fasterxml.jackson.dataformat:jackson-dataformat-csv:2.19.0',
  'com.fasterxml.jackson.dataformat:jackson-dataformat-yaml:2.19.0',
  'com.fasterxml.jackson.datatype:jackson-datatype-jdk8:2.19.0',
  'com.github.ben-manes.caffeine:caffeine:3.2.0',
  'com.github.luben:zstd-jni:1.5.6-10',
  'com.google.errorprone:error_prone_annotations:2.36.0',
  'com.google.re2j:re2j:1.8',
  'com.typesafe.scala-logging:scala-logging_2.13:3.9.5',
  'com.yammer.metrics:metrics-core:2.2.0',
  'commons-beanutils:commons-beanutils:1.9.4',
  'commons-collections:commons-collections:3.2.2',
  'commons-digester:commons-digester:2.1',
  'commons-logging:commons-logging:1.3.2',
  'commons-validator:commons-validator:1.9.0',
  'net.sf.jopt-simple:jopt-simple:5.0.4',
  'net.sourceforge.argparse4j:argparse4j:0.7.0',
  'org.apache.kafka:kafka-clients:4.1.0',
  'org.apache.kafka:kafka-coordinator-common:4.1.0',
  'org.apache.kafka:kafka-group-coordinator:4.1.0',
  'org.apache.kafka:kafka-group-coordinator-api:4.1.0',
  'org.apache.kafka:kafka-metadata:4.1.0',
  'org.apache.kafka:kafka-raft:4.1.0',
  'org.apache.kafka:kafka-server:4.1.0',
  'org.apache.kafka:kafka-server-common:4.1.0',
  'org.apache.kafka:kafka-share-coordinator:4.1.0',
  'org.apache.kafka:kafka-storage:4.1.0',
  'org.apache.kafka:kafka-storage-api:4.1.0',
  'org.apache.kafka:kafka-tools-api:4.1.0',
  'org.apache.kafka:kafka-transaction-coordinator:4.1.0',
  'org.apache.kafka:kafka_2.13:4.1.0',
  'org.apache.logging.log4j:log4j-api:2.24.3',
  'org.apache.logging.log4j:log4j-core:2.24.3',
  'org.bitbucket.b_c:jose4j:0.9.6',
  'org.hdrhistogram:HdrHistogram:2.2.2',
  'org.jspecify:jspecify:1.0.0',
  'org.lz4:lz4-java:1.8.0',
  'org.pcollections:pcollections:4.0.2',
  'org.scala-lang:scala-library:2.13.16',
  'org.scala-lang:scala-reflect:2.13.16',
  'org.slf4j:slf4j-api:1.7.36',
  'org.xerial.snappy:snappy-java:1.1.10.7',
  'org.yaml:snakeyaml:2.4',
];

/**
 * Installs Apache Kafka, which needs Java 17.
 * @param {string} folder
 * @returns {Promise<Record<string, string>>}
 */
export async function install(folder) {
  await promisify(execFile)('java', ['-version']).catch(() => {
    throw new Error('Kafka needs Java 17 (Debian: openjdk-17-jre-headless).');
  });
  for (const jar of jars) await download(folder, jar);
  return { MILLRACE_TEST_KAFKA: jars.map((jar) => join(folder, fileOf(jar))).join(delimiter) };
}

/** @param {string} jar */
const fileOf = (jar) => `${jar.split(':').slice(1).join('-')}.jar`;

/** @param {string} folder @param {string} jar */
async function download(folder, jar) {
  const path = join(folder, fileOf(jar));
  if (existsSync(path)) return;
  const [group = '', name, version] = jar.split(':');
  const url = `https://repo1.maven.org/maven2/${group.replaceAll('.', '/')}/${name}/${version}/${fileOf(jar)}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded ${response.status}.`);
  await writeFile(`${path}.part`, new Uint8Array(await response.arrayBuffer()));
  await rename(`${path}.part`, path);
}
