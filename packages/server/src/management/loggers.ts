import { z } from 'zod';
import { type LogLevelName, logLevelNames, type ProcessLog } from '../processLog.ts';
import { json, type Page } from './page.ts';

const Change = z.object({ configuredLevel: z.string() });

/** The one logger of the process, under the name that tools for other products know. */
export const readLoggers = ({ level }: ProcessLog): Page =>
  json(200, {
    levels: logLevelNames.map((name) => name.toUpperCase()).reverse(),
    loggers: { ROOT: describe(level()) },
  });

export const readLogger = (name: string, { level }: ProcessLog): Page =>
  name === 'ROOT' ? json(200, describe(level())) : json(404, { message: `There is no logger "${name}".` });

export function changeLogger(name: string, text: string, log: ProcessLog): Page {
  if (name !== 'ROOT') return json(404, { message: `There is no logger "${name}".` });
  const wanted = Change.safeParse(tryParse(text)).data?.configuredLevel.toLowerCase();
  const level = logLevelNames.find((known) => known === wanted);
  if (level === undefined) {
    const known = logLevelNames.map((one) => one.toUpperCase()).join(', ');
    return json(422, { message: `configuredLevel must be one of ${known}.` });
  }
  log.setLevel(level);
  return json(200, describe(level));
}

const describe = (level: LogLevelName) => ({
  configuredLevel: level.toUpperCase(),
  effectiveLevel: level.toUpperCase(),
});

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
