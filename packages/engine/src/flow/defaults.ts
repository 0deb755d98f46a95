import type { Flow, PluginDefault } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import { controlTypeOf } from './controlType.ts';
import { shortType } from './typeName.ts';

export interface DefaultsOptions {
  /** Resolves aliases, so that a default for either name applies to both. */
  readonly catalogue?: Catalogue;
  /** The server's own, weaker than the flow's; the stronger ones first. */
  readonly globalDefaults?: readonly PluginDefault[];
}

/**
 * [E150] The flow with plugin defaults put into every task, trigger, condition and task runner that they match.
 * Nothing is copied that does not change; a flow without a match is returned as it is.
 */
export function applyDefaults(flow: Flow, options: DefaultsOptions = {}): Flow {
  const entries = [...(flow.pluginDefaults ?? []), ...(options.globalDefaults ?? [])];
  if (entries.length === 0) return flow;
  const filler = new Filler(entries, options.catalogue);
  const fill = <T>(value: T): T => filler.fill(value);
  const lists = {
    tasks: fill(flow.tasks),
    errors: fill(flow.errors),
    finally: fill(flow.finally),
    afterExecution: fill(flow.afterExecution),
    listeners: fill(flow.listeners),
    triggers: fill(flow.triggers),
  };
  const changed = Object.fromEntries(
    Object.entries(lists).filter(([name, list]) => list !== flow[name as keyof typeof lists]),
  );
  return Object.keys(changed).length === 0 ? flow : { ...flow, ...changed };
}

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Filler {
  readonly #entries: readonly (PluginDefault & { readonly canonical: string })[];
  readonly #catalogue: Catalogue | undefined;
  readonly #matching = new Map<string, readonly PluginDefault[]>();

  constructor(entries: readonly PluginDefault[], catalogue: Catalogue | undefined) {
    this.#catalogue = catalogue;
    this.#entries = entries.map((entry) => ({ ...entry, canonical: this.#canonical(entry.type) }));
  }

  /** Walks any value; the result has the type of the argument because defaults only add properties. */
  fill<T>(value: T): T {
    if (Array.isArray(value)) return this.#fillList(value) as T;
    return isData(value) ? (this.#fillMap(value) as T) : value;
  }

  #fillList(list: readonly unknown[]): readonly unknown[] {
    const filled = list.map((item) => this.fill(item));
    return filled.some((item, index) => item !== list[index]) ? filled : list;
  }

  #fillMap(data: Data): Data {
    const merged = typeof data.type === 'string' ? this.#merge(data, data.type) : data;
    let changed = merged !== data;
    const filled: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(merged)) {
      filled[name] = this.fill(value);
      if (filled[name] !== value) changed = true;
    }
    return changed ? filled : data;
  }

  #merge(data: Data, type: string): Data {
    let merged = data;
    const matching = this.#matchingFor(type);
    for (const entry of matching)
      if (!entry.forced) merged = mergeUnder(merged, withoutIdentity(entry.values));
    for (const entry of matching.toReversed()) {
      if (entry.forced) merged = mergeOver(merged, withoutIdentity(entry.values));
    }
    return merged;
  }

  #matchingFor(type: string): readonly PluginDefault[] {
    let matching = this.#matching.get(type);
    if (!matching) {
      const canonical = this.#canonical(type);
      const names = [type, canonical, `io.kestra.plugin.${canonical}`];
      matching = this.#entries.filter(
        (entry) => entry.canonical === canonical || names.some((name) => name.startsWith(entry.type)),
      );
      this.#matching.set(type, matching);
    }
    return matching;
  }

  #canonical(type: string): string {
    return this.#catalogue?.find(type)?.type ?? controlTypeOf(type) ?? shortType(type);
  }
}

/** A default says how a task behaves, never which task it is. */
function withoutIdentity(values: Data): Data {
  const { id: _id, type: _type, ...rest } = values;
  return rest;
}

/** The existing value wins; maps are merged, and the default's items come before those of a list. */
export function mergeUnder(own: Data, defaults: Data): Data {
  return merge(own, defaults, (mine) => mine);
}

/** The default wins; maps are merged, and the default's items come before those of a list. */
export function mergeOver(own: Data, forced: Data): Data {
  return merge(own, forced, (_mine, theirs) => theirs);
}

function merge(own: Data, given: Data, choose: (mine: unknown, theirs: unknown) => unknown): Data {
  const merged: Record<string, unknown> = { ...own };
  for (const [name, theirs] of Object.entries(given)) {
    const mine = Object.hasOwn(own, name) ? own[name] : undefined;
    if (mine === undefined || mine === null) merged[name] = theirs;
    else if (isData(mine) && isData(theirs)) merged[name] = merge(mine, theirs, choose);
    else if (Array.isArray(mine) && Array.isArray(theirs)) merged[name] = [...theirs, ...mine];
    else merged[name] = choose(mine, theirs);
  }
  return merged;
}
