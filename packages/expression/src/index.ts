export { analyzeTemplate } from './analysis/analyzeTemplate.ts';
export { lexPartial, type PartialExpression } from './analysis/lexPartial.ts';
export type * from './analysis/use.ts';
export { compile } from './compile/compile.ts';
export type { Template } from './context.ts';
export { formatDate } from './dates/formatDate.ts';
export { parseDate } from './dates/parseDate.ts';
export {
  parseDuration,
  parseInstant,
  parseLocalDate,
  parseLocalDateTime,
  parseZoned,
} from './dates/parseIso.ts';
export { type PatternPart, parsePattern } from './dates/pattern.ts';
export {
  Duration,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  Temporal,
  ZonedDateTime,
} from './dates/temporal.ts';
export { findZone, offsetZone, type Zone } from './dates/zone.ts';
export type { Signature } from './definition.ts';
export { ExpressionError, type ExpressionErrorKind, MissingError } from './error.ts';
export {
  type Answer,
  type ConditionSubject,
  type ForeignCondition,
  type Host,
  type HttpRequest,
  Lazy,
  lazy,
  type SubflowRequest,
  type Variables,
} from './host.ts';
export { readIon } from './ion/readIon.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { filterNames, functionSignatures, signatureOf, testNames } from './names.ts';
export { Decimal } from './numbers/decimal.ts';
export { double, Real } from './numbers/number.ts';
export { referencedOutputs } from './referencedOutputs.ts';
export { compileRegex } from './regex/compileRegex.ts';
export { type RenderOptions, render, renderDeep, renderTyped } from './render.ts';
export type { Span } from './syntax/nodes.ts';
export type { Token } from './syntax/token.ts';
export { isTruthy } from './truthy.ts';
