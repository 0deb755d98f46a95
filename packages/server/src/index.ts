export { openProduct } from './openProduct.ts';
export { startServer } from './startServer.ts';
