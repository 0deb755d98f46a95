export type { RestClient, Sign } from './client.ts';
export { createRestClient } from './client.ts';
export { taskExample, triggerExample } from './example.ts';
export { type OutputFields, out, outputSchema } from './outputs.ts';
export { type InputOf, may, need, type Properties, type Property, preset } from './properties.ts';
export { sealedOutput } from './sealedOutput.ts';
export { defineService, schemasOf } from './service.ts';
export { waitFor } from './waitFor.ts';
