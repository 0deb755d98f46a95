import { showExpressionText } from '../schema/expressionText.ts';
import { CodeArea } from './code.tsx';
import type { WidgetProps } from './widgetProps.ts';

type ExpressionWidgetProps = Pick<WidgetProps, 'value' | 'isReadOnly' | 'error' | 'onChange' | 'control'>;

/** Code, the same in every language. */
const example = '{{ inputs.value }}';

/** An expression in the place of a value that would otherwise be chosen or counted. */
export const ExpressionWidget = ({ value, onChange, ...props }: ExpressionWidgetProps) => (
  <CodeArea
    {...props}
    placeholder={example}
    text={typeof value === 'string' ? value : showExpressionText(value)}
    onText={(text) => onChange(text || undefined)}
  />
);
