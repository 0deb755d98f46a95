import { type Issue, TestSuite } from '@millrace/contract';
import { formatPath } from '../flow/path.ts';
import { Lines } from '../flow/yaml/lines.ts';
import { markOf } from '../flow/yaml/locate.ts';
import { readYaml } from '../flow/yaml/readYaml.ts';
import { operatorNames } from './checkAssertion.ts';

export interface ReadTestSuite {
  /** Absent when the text has errors. */
  readonly suite?: TestSuite;
  readonly issues: readonly Issue[];
}

/** Reads the YAML of a test suite and finds all its errors, each with its range. */
export function readTestSuite(source: string): ReadTestSuite {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const lines = new Lines(text);
  const rangeOf = (span: { start: number; end: number }) => ({
    start: lines.positionOf(span.start),
    end: lines.positionOf(Math.max(span.end, span.start)),
  });
  const reading = readYaml(text);
  if ('problem' in reading) {
    const { message, start, end } = reading.problem;
    return { issues: [{ severity: 'error', path: 'yaml', message, range: rangeOf({ start, end }) }] };
  }
  const issueAt = (path: readonly PropertyKey[], message: string): Issue => {
    const known = path.filter((part) => typeof part !== 'symbol');
    return {
      severity: 'error',
      path: formatPath(known),
      message,
      range: rangeOf(markOf(reading.root, known)),
    };
  };
  const parsed = TestSuite.safeParse(reading.data);
  if (!parsed.success)
    return { issues: parsed.error.issues.map(({ path, message }) => issueAt(path, message)) };
  const issues = parsed.data.testCases.flatMap((testCase, index) => [
    ...(parsed.data.testCases.findIndex(({ id }) => id === testCase.id) < index
      ? [issueAt(['testCases', index, 'id'], `The test case "${testCase.id}" exists twice.`)]
      : []),
    ...testCase.assertions.flatMap((assertion, at) => {
      const path = ['testCases', index, 'assertions', at];
      const hasOperator = operatorNames.some((name) => assertion[name] !== undefined);
      const hasOther =
        assertion.state !== undefined || assertion.log !== undefined || assertion.untaken !== undefined;
      if (assertion.value !== undefined && !hasOperator)
        return [issueAt(path, `An assertion with a "value" needs an operator such as equalTo or contains.`)];
      if (assertion.value === undefined && hasOperator)
        return [issueAt(path, 'An assertion with an operator needs a "value".')];
      return hasOperator || hasOther
        ? []
        : [issueAt(path, 'An assertion needs a "value" with an operator, a "state", a "log" or "untaken".')];
    }),
  ]);
  return issues.length > 0 ? { issues } : { suite: parsed.data, issues };
}
