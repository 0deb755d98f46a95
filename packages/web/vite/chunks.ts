/** Without its imports: they have their own group, or are in a file that few pages load. */
const alone = { includeDependenciesRecursively: false };

/**
 * Which modules share a file. A browser has six connections, and on a page of many small files it mostly waits for its
 * turn: what pages have in common comes in few larger ones. A group may import what stands above it, never the other way
 * round: files that import each other in a cycle run in an undefined order.
 */
export const chunkGroups = [
  {
    name: 'base',
    test: anyOf(
      inFolders(
        'node_modules/(react|react-dom|scheduler|use-sync-external-store)',
        'node_modules/(zod|i18next|clsx)',
        'node_modules/@tanstack/(react-router|router-core|history|store|react-store|query-core|react-query)',
        'node_modules/@mantine/core/esm/core',
        'node_modules/@mantine/core/esm/components/(ActionIcon|Button|Loader|Transition)',
        'node_modules/@mantine/core/esm/components/(UnstyledButton|VisuallyHidden)',
        // A function of one line: without this, a control of the log loads all menus.
        'node_modules/@mantine/core/esm/components/ScrollArea/utils',
        'packages/web/src/(api|reports|routing|state|storage)',
      ),
      named(
        'packages/web/src/i18n/(i18n|locales|useTranslation).ts',
        'packages/web/src/shell/(toasts|useUnsavedGuard).ts',
        'packages/web/src/features/(flows|executions)/page/(tabParts|loadTab).ts',
        'packages/web/src/ui/code/loadMonaco.ts',
        'packages/web/src/ui/(lazyPart.tsx|instant.ts|values/TextWithElements.tsx)',
        'packages/web/src/withoutEval.ts',
        'packages/web/src/searchParams.ts',
        'packages/web/src/features/(executions|compare)/search.ts',
        'packages/engine/src/flow/typeName.ts',
      ),
    ),
  },
  // The small things that most pages show or ask.
  {
    name: 'parts',
    test: anyOf(
      inFolders(
        'node_modules/@mantine/core/esm/components/(CloseButton|Skeleton)',
        'node_modules/@mantine/hooks',
        'node_modules/@tabler/icons-react',
        'packages/contract/src',
        'packages/engine/src/schedule',
        'packages/web/src/format',
      ),
      named(
        'packages/web/src/ui/(Card|KeyHint|LinkButton|Loading|page/(Page|TabBar)|values/(Date|Id|State|Tags))',
        'packages/web/src/ui/(Hint.tsx|afterPaint|menu/Row|page/Upsell|values/useNow|list/(dateRange|plainQuery)|filters/RefreshButtons)',
        'packages/web/src/features/flows/(queries|FlowLink)',
        'packages/web/src/features/executions/(queries|ExecutionLink)',
        'packages/web/src/features/listing/ofFlow',
      ),
    ),
    minShareCount: 3,
    ...alone,
  },
  {
    name: 'lists',
    test: anyOf(
      inFolders(
        'node_modules/@tanstack/(react-table|table-core)',
        'node_modules/@mantine/core/esm/components/(Input|InputBase|TextInput|NativeSelect|Checkbox|InlineInput)',
        'node_modules/@mantine/core/esm/components/Combobox/(ComboboxChevron|get-parsed-combobox-data)',
        'node_modules/@mantine/core/esm/components/FileButton',
        'packages/web/src/ui/charts',
        'packages/web/src/features/stats',
        'node_modules/@mantine/core/esm/utils',
        'packages/web/src/ui/filters',
        'packages/web/src/features/listing',
      ),
      named(
        'node_modules/@mantine/core/esm/components/Combobox/Combobox.module',
        'packages/web/src/ui/(ImportButton|markdown/plainText)',
        'packages/web/src/features/executions/list/runColumns',
        'packages/web/src/ui/list/(FilterChip.tsx|ListFilters|ResourceList|condition)',
        'packages/web/src/ui/list/use',
        'packages/web/src/ui/table/(ColumnChooserLazy|DataTable|Pager|selection)',
        'packages/web/src/ui/table/(column|moveBetweenRows|use)',
      ),
    ),
    minShareCount: 3,
    ...alone,
  },
  // Parts that open on a press, on nearly every page; lists load them right after their rows.
  {
    name: 'menus',
    test: anyOf(
      inFolders(
        'node_modules/@mantine/core/esm/components/(FocusTrap|Floating|Menu|Modal|ModalBase|NativeScrollArea|Overlay|Paper)',
        'node_modules/@mantine/core/esm/components/(Accordion|Popover|Portal|Radio|ScrollArea|Tooltip)',
        'node_modules/@floating-ui',
        'node_modules/(react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-sidecar|use-callback-ref|get-nonce|tslib)',
        'packages/web/src/ui/dialog',
      ),
      named('packages/web/src/ui/list/(Filter|RangeFilter|SavedSearches)'),
      named('packages/web/src/ui/table/ColumnChooser.tsx'),
    ),
    minShareCount: 3,
    ...alone,
  },
  // What executions have in common, in lists and on their own page.
  {
    name: 'run',
    test: named(
      'packages/web/src/features/executions/actions/executionActions',
      'packages/web/src/features/executions/timeTravel/past.tsx',
      'packages/web/src/features/executions/page/(ExecutionTab.module|ForkFacts|LogFiles)',
    ),
    minShareCount: 2,
    ...alone,
  },
  {
    name: 'graph',
    test: inFolders(
      'node_modules/@xyflow',
      'node_modules/(classcat|zustand)',
      'node_modules/d3-(color|dispatch|drag|ease|interpolate|selection|timer|transition|zoom)',
      'packages/web/src/features/topology',
    ),
    minShareCount: 2,
    ...alone,
  },
  {
    name: 'logs',
    test: anyOf(
      inFolders('node_modules/@tanstack/(react-virtual|virtual-core)', 'node_modules/anser'),
      named('packages/web/src/features/logs/(AnsiText|LogView.module|logLine)'),
    ),
    minShareCount: 2,
    ...alone,
  },
];

function anyOf(...expressions: RegExp[]): RegExp {
  return new RegExp(expressions.map(({ source }) => source).join('|'));
}

function inFolders(...folders: string[]): RegExp {
  return new RegExp(`(${folders.join('|')})/`.replaceAll('/', '[\\\\/]'));
}

function named(...beginnings: string[]): RegExp {
  return new RegExp(`(${beginnings.join('|')})[^/]*$`.replaceAll('/', '[\\\\/]'));
}
