export { freeName, newElement } from './newElement.ts';
export { asSchema, type Schema, typeSchema, typesOf } from './schema.ts';
export { schemaAt } from './schemaAt.ts';
export { usersOf } from './usersOf.ts';
