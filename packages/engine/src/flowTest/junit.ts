import type { AssertionResult, TestSuiteResult } from '@millrace/contract';

/** The results as JUnit XML, which CI servers read. */
export function toJunit(suites: readonly TestSuiteResult[]): string {
  const all = suites.flatMap(({ results }) => results);
  const count = (state: string) => all.filter((result) => result.state === state).length;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${all.length}" failures="${count('FAILED')}" errors="${count('ERROR')}" skipped="${count('SKIPPED')}">`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function suiteLines({ id, namespace, flowId, results }: TestSuiteResult): string[] {
  const count = (state: string) => results.filter((result) => result.state === state).length;
  const name = asXml(`${namespace}.${id}`);
  return [
    `  <testsuite name="${name}" tests="${results.length}" failures="${count('FAILED')}" errors="${count('ERROR')}" skipped="${count('SKIPPED')}">`,
    ...results.flatMap((result) => {
      const open = `    <testcase classname="${asXml(`${namespace}.${flowId}`)}" name="${asXml(result.testId)}" time="${(result.durationMs / 1000).toFixed(3)}"`;
      const inner =
        result.state === 'SKIPPED'
          ? ['      <skipped/>']
          : result.state === 'ERROR'
            ? [problem('error', result.errors)]
            : result.state === 'FAILED'
              ? [
                  problem(
                    'failure',
                    result.assertionResults.filter(({ isSuccess }) => !isSuccess).map(describeFailure),
                  ),
                ]
              : [];
      return inner.length === 0 ? [`${open}/>`] : [`${open}>`, ...inner, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}

const problem = (kind: 'error' | 'failure', texts: readonly string[]): string =>
  `      <${kind} message="${asXml(texts[0] ?? '')}">${asXml(texts.join('\n'))}</${kind}>`;

/** A failed assertion as a sentence. */
export function describeFailure(result: AssertionResult): string {
  const { operator, expected, actual, taskId, errorMessage, description } = result;
  if (errorMessage !== undefined) return errorMessage;
  const subject = taskId === undefined ? '' : `task "${taskId}": `;
  const about = description === undefined ? '' : `${description}: `;
  return `${about}${subject}expected ${operator} ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
}

const asXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them.
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
