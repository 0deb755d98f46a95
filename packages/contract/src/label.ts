import { z } from 'zod';

export const Label = z.object({ key: z.string().min(1), value: z.string() });
export type Label = z.infer<typeof Label>;

/** Labels with this prefix belong to the product; users may not set them. */
export const systemLabelPrefix = 'system.';

/** Labels as clients send them: a list, or a map of key to value. */
export const LabelsToSet = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, text]) => ({ key, value: text }))
      : value,
  z.array(Label.extend({ value: z.string().min(1) })),
);

/** The kind of an execution that only tries a part of a flow. */
export const playgroundKind = 'PLAYGROUND';
/** Each playground execution has this label, so that lists and statistics find it by an index. */
export const playgroundLabel = { key: `${systemLabelPrefix}playground`, value: 'true' } as const;
