export interface FlowKey {
  readonly namespace: string;
  readonly id: string;
}
