export { countCoverage, coverageOf, mergeCoverage } from './coverage.ts';
export { describeFailure, toJunit } from './junit.ts';
export { type ReadTestSuite, readTestSuite } from './readTestSuite.ts';
export { type RecordedExecution, recordTestSuite, writeTestSuite } from './recordTestSuite.ts';
export { runTestSuite, type SuiteOutcome, type TestSurroundings, worst } from './runTestSuite.ts';
