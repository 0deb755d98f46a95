export {
  type Completion,
  type CompletionKind,
  complete,
  completeInExecution,
  completeTemplate,
} from './complete.ts';
export {
  type ExecutionValues,
  type KnownFlow,
  type KnownType,
  type LanguageContext,
  shapesOf,
  typeNamed,
} from './context.ts';
export { type FlowDocument, readDocument } from './document.ts';
export { expressionIssues } from './expressionIssues.ts';
export { type Fix, fixesAt } from './fixes.ts';
export { formatFlow } from './format.ts';
export { type Hover, hoverAt } from './hover.ts';
export { type OutlineEntry, outlineOf } from './outline.ts';
export { requiredAt } from './requiredAt.ts';
export { type SignatureHelp, signatureHelp } from './signature.ts';
export { type FlowSymbol, rename, symbolAt, type TextEdit } from './symbols.ts';
