/** The properties of a type, as written or rendered. */
export type Properties = Readonly<Record<string, unknown>>;

/** The outputs of a task or trigger. */
export type Outputs = Readonly<Record<string, unknown>>;
