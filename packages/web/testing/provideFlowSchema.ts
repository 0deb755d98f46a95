import { editorSchema } from '@millrace/plugin-kit';
import { createCoreCatalogue } from '@millrace/plugins';
import type { TestProject } from 'vitest/node';

/** Forms are tested with the schema that the server answers: what a plugin says today is what they have to show. */
export function setup({ provide }: TestProject): void {
  provide('flowSchema', editorSchema(createCoreCatalogue(), 'flow'));
}
