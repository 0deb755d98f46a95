export { type Completion, completeExpression } from './completeExpression.ts';
export { readAround } from './readAround.ts';
