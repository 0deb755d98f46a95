export * as executions from './executions.ts';
export * as flows from './flows.ts';
export * as logs from './logs.ts';
export * as product from './product.ts';
export * as triggers from './triggers.ts';
