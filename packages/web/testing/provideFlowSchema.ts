import { coreFamily } from '@millrace/plugin-core';
import { createCatalogue, flowSchema, loadedFamily } from '@millrace/plugin-kit';
import { scriptsFamily } from '@millrace/plugin-scripts';
import type { TestProject } from 'vitest/node';

/** Forms are tested with the schema that the server returns: what a plugin says today is what they have to show. */
export async function setup({ provide }: TestProject): Promise<void> {
  const catalogue = createCatalogue([coreFamily, scriptsFamily].map(loadedFamily));
  provide('flowSchema', await flowSchema(catalogue, 'flow'));
}
