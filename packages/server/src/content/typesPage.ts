import { describeAllTypes, type PluginCatalogue } from '@millrace/plugin-kit';
import type { TextFile } from './textFiles.ts';

/** The page of all types, made from their definitions whenever the documentation is read. */
export const typesPage = (catalogue: PluginCatalogue): TextFile => ({
  path: 'build/types.md',
  text: `---
title: All types
description: Every task, trigger, condition, runner, chart and exporter of this server.
icon: list
order: 41
---

${describeAllTypes(catalogue)}
`,
});
