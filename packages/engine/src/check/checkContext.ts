import type { TypeShape } from '../catalogue.ts';
import type { FlowModel, TemplateScope } from './flowTemplates.ts';

/** The shape of a type under any of its names; undefined when it is not known. */
export type ShapeOf = (type: string) => TypeShape | undefined;

export interface CheckContext {
  readonly model: FlowModel;
  readonly scope: TemplateScope;
  readonly shapeOf: ShapeOf;
}
