export { type Completion, completeExpression } from './completeExpression.ts';
