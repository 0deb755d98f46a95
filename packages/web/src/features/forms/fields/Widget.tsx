import { type ComponentType, createContext, use } from 'react';
import type { WidgetProps } from '../FormHost.ts';
import type { Field } from '../schema/field.ts';
import { isMap } from '../source/edit.ts';
import { AnyWidget } from './code.tsx';

export type Widgets = { readonly [Kind in Field['kind']]: ComponentType<WidgetProps<Kind>> };

/** The control of every kind. They stand inside each other, so they find each other here and not by import. */
export const WidgetsContext = createContext<Widgets | undefined>(undefined);

/** The control for a kind of value. A value of another kind than expected is shown as YAML, so that none is lost. */
export function Widget(props: WidgetProps) {
  const widgets = use(WidgetsContext);
  const { field, value } = props;
  if (!widgets) throw new Error('A field stands outside of a form.');
  if (!fits(field.kind, value)) {
    return <AnyWidget {...props} field={{ kind: 'any', schema: field.schema, isDynamic: field.isDynamic }} />;
  }
  // The table pairs each kind with the control that takes it; TypeScript cannot follow it through a variable.
  const Control = widgets[field.kind] as ComponentType<WidgetProps>;
  return <Control {...props} />;
}

function fits(kind: Field['kind'], value: unknown): boolean {
  if (value === undefined || value === null) return true;
  switch (kind) {
    case 'list':
    case 'blocks':
      return Array.isArray(value);
    case 'dict':
    case 'object':
    case 'block':
    case 'subflowInputs':
      return isMap(value);
    case 'pairs':
    case 'oneOf':
    case 'any':
    case 'constant':
      return true;
    default:
      return typeof value !== 'object';
  }
}
