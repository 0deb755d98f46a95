import { type StateType, systemLabelPrefix } from '@millrace/contract';
import type { Acting } from './control.ts';
import { labelsOf } from './subflow.ts';
import { flagOf, listOf, mapOf, structureOf, textOf } from './tasks.ts';

const exitStates: Readonly<Record<string, StateType>> = {
  SUCCESS: 'SUCCESS',
  WARNING: 'WARNING',
  KILLED: 'KILLED',
  FAILED: 'FAILED',
  CANCELED: 'CANCELLED',
  CANCELLED: 'CANCELLED',
};

/** Exit: ends the execution immediately in the given state. */
export const exit: Acting = {
  kind: 'acting',
  act: (context) => {
    const wanted = context.text('state', textOf(context.task.state ?? 'SUCCESS'));
    const state = exitStates[wanted];
    if (!state)
      throw new Error(
        `"${wanted}" is not a state to exit with; choose one of ${Object.keys(exitStates).join(', ')}.`,
      );
    return { act: 'exit', state };
  },
};

/** Labels: adds labels to the execution, over those with the same key. */
export const labels: Acting = {
  kind: 'acting',
  act: (context) => {
    const added = labelsOf(structureOf(context, 'labels'));
    const reserved = added.find((label) => label.key.startsWith(systemLabelPrefix));
    if (reserved)
      throw new Error(
        `The label "${reserved.key}" is reserved: keys starting with "${systemLabelPrefix}" cannot be set.`,
      );
    return { act: 'label', labels: added };
  },
};

export const setVariables: Acting = {
  kind: 'acting',
  act: (context) => ({
    act: 'setVariables',
    variables: mapOf(context, 'variables'),
    overwrite: flagOf(context, 'overwrite', true),
  }),
};

export const unsetVariables: Acting = {
  kind: 'acting',
  act: (context) => ({
    act: 'unsetVariables',
    names: listOf(context, 'variables').map(String),
    ignoreMissing: flagOf(context, 'ignoreMissing', false),
  }),
};
