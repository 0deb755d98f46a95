import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Downloads a Java program and everything it needs from Maven Central, and returns its class path.
 * @param {string} folder kept between runs
 * @param {string} artifact as `group:name:version`
 */
export async function mavenJars(folder, artifact) {
  const missing = (/** @type {string} */ program, /** @type {string} */ from) => () => {
    throw new Error(`${program} is not installed (Debian: ${from}).`);
  };
  await run('java', ['-version']).catch(missing('Java 17', 'openjdk-17-jdk-headless'));
  const [group, name, version] = artifact.split(':');
  const jars = join(folder, String(version));
  if (!existsSync(jars)) {
    await run('mvn', ['-version']).catch(missing('Maven', 'maven'));
    const dependency = `<groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>`;
    await writeFile(
      join(folder, 'pom.xml'),
      `<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version>
<dependencies><dependency>${dependency}</dependency></dependencies></project>\n`,
    );
    const part = `${jars}.part`;
    await rm(part, { recursive: true, force: true });
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${part}`];
    await run('mvn', ['-q', '-B', ...goal], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    await rename(part, jars);
  }
  return readdirSync(jars)
    .map((file) => join(jars, file))
    .join(delimiter);
}
