import { BlocksWidget, BlockWidget } from './BlocksWidget.tsx';
import { AnyWidget } from './code.tsx';
import { DurationWidget } from './DurationWidget.tsx';
import { DictWidget, PairsWidget } from './EntryRows.tsx';
import { ListWidget } from './ListWidget.tsx';
import { ObjectWidget } from './ObjectForm.tsx';
import { OneOfWidget } from './OneOfWidget.tsx';
import {
  BooleanWidget,
  ConstantWidget,
  DateTimeWidget,
  EnumWidget,
  NumberWidget,
  SuggestionsWidget,
  TextWidget,
} from './scalars.tsx';
import { FlowIdWidget, NamespaceWidget, SubflowInputsWidget } from './subflow.tsx';
import type { Widgets } from './Widget.tsx';

export const widgets: Widgets = {
  enum: EnumWidget,
  suggestions: SuggestionsWidget,
  constant: ConstantWidget,
  number: NumberWidget,
  boolean: BooleanWidget,
  duration: DurationWidget,
  dateTime: DateTimeWidget,
  string: TextWidget,
  namespace: NamespaceWidget,
  flowId: FlowIdWidget,
  subflowInputs: SubflowInputsWidget,
  pairs: PairsWidget,
  dict: DictWidget,
  list: ListWidget,
  blocks: BlocksWidget,
  block: BlockWidget,
  oneOf: OneOfWidget,
  object: ObjectWidget,
  any: AnyWidget,
};
