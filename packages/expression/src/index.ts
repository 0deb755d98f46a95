export { compile } from './compile/compile.ts';
export type { Template } from './context.ts';
export {
  Duration,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  Temporal,
  ZonedDateTime,
} from './dates/temporal.ts';
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
export { defaultLimits, type Limits } from './limits.ts';
export { filterNames, functionSignatures } from './names.ts';
export { double } from './numbers/number.ts';
export { referencedOutputs } from './referencedOutputs.ts';
export { type RenderOptions, render, renderDeep, renderTyped } from './render.ts';
export { isTruthy } from './truthy.ts';
