import { AppError, mainTenant, type Template } from '@millrace/contract';
import { Conflict, type Filter, type Store, type TemplateRecord } from '@millrace/store';
import { unreadable } from '../unreadableRow.ts';

interface Key {
  readonly namespace: string;
  readonly id: string;
}

/**
 * All templates, cached in memory because a running execution needs them synchronously. There are few, since
 * subflows replaced them. The cache follows all changes of the store.
 */
export class Templates {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #known = new Map<string, TemplateRecord>();

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reads all of them and follows what changes. */
  async load(onProblem: (error: unknown) => void): Promise<void> {
    this.#store.onChange(({ templates, hasGap }) => {
      for (const key of templates) this.#refresh(key).catch(onProblem);
      if (hasGap) this.#readAll().catch(onProblem);
    });
    await this.#readAll();
  }

  async #readAll(): Promise<void> {
    const records = await this.#all([]);
    this.#known.clear();
    for (const record of records) this.#keep(record);
  }

  /** The template that an execution runs. */
  find(namespace: string, id: string): TemplateRecord | undefined {
    return this.#known.get(keyOf({ namespace, id }));
  }

  async get(key: Key): Promise<Template> {
    const found = await this.#store.getTemplate(key.namespace, key.id);
    if (!found) throw missing(key);
    if (found.problem !== undefined)
      throw new AppError('illegal-state', unreadable('template', key.id, found.problem));
    return present(found);
  }

  /** Throws when the template does not exist; an unreadable template exists. */
  async check(key: Key): Promise<void> {
    if (!(await this.#store.getTemplate(key.namespace, key.id))) throw missing(key);
  }

  async list(filters: readonly Filter[]): Promise<Template[]> {
    return (await this.#all(filters)).map(present);
  }

  async create(template: Template): Promise<Template> {
    try {
      await this.#store.commit([{ op: 'template.put', template: this.#record(template), mustBeNew: true }]);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const message = 'Template id already exists';
      throw new AppError('invalid-entity', `id: ${message}`, { errors: [{ path: 'id', message }] });
    }
    return this.#saved(template);
  }

  async update(key: Key, template: Template): Promise<Template> {
    await this.check(key);
    for (const name of ['id', 'namespace'] as const) {
      if (template[name] === key[name]) continue;
      const message = `the ${name} "${key[name]}" of a template cannot be changed`;
      throw new AppError('invalid-entity', `${name}: ${message}`, { errors: [{ path: name, message }] });
    }
    return this.put(template);
  }

  /** Creates or replaces. */
  async put(template: Template): Promise<Template> {
    await this.#store.commit([{ op: 'template.put', template: this.#record(template) }]);
    return this.#saved(template);
  }

  async delete(key: Key): Promise<void> {
    try {
      await this.#store.commit([{ op: 'template.delete', namespace: key.namespace, id: key.id }]);
    } catch (error) {
      throw error instanceof Conflict ? missing(key) : error;
    }
    this.#known.delete(keyOf(key));
  }

  async #saved(template: Template): Promise<Template> {
    await this.#refresh(template);
    return template;
  }

  async #refresh({ namespace, id }: Key): Promise<void> {
    const record = await this.#store.getTemplate(namespace, id);
    if (record) this.#keep(record);
    else this.#known.delete(keyOf({ namespace, id }));
  }

  /** An unreadable template is not cached: an execution must not run without its tasks. */
  #keep(record: TemplateRecord): void {
    if (record.problem === undefined) this.#known.set(keyOf(record), record);
    else this.#known.delete(keyOf(record));
  }

  async #all(filters: readonly Filter[]): Promise<TemplateRecord[]> {
    const size = 1_000;
    const all: TemplateRecord[] = [];
    for (let page = 1; ; page++) {
      const { results } = await this.#store.listTemplates({ page, size, filters });
      all.push(...results);
      if (results.length < size) return all;
    }
  }

  #record({ namespace, id, description, tasks, errors }: Template): TemplateRecord {
    return {
      tenantId: mainTenant,
      namespace,
      id,
      ...(description === undefined ? {} : { description }),
      tasks,
      ...(errors === undefined ? {} : { errors }),
      updatedAt: this.#clock(),
    };
  }
}

export function present({ updatedAt: _, problem, tasks, errors, ...record }: TemplateRecord): Template {
  return {
    ...record,
    tasks: [...tasks],
    ...(errors ? { errors: [...errors] } : {}),
    deleted: false,
    ...(problem === undefined ? {} : { exception: unreadable('template', record.id, problem) }),
  };
}

const keyOf = ({ namespace, id }: Key): string => `${namespace}/${id}`;

const missing = ({ namespace, id }: Key): AppError =>
  new AppError('not-found', `there is no template "${id}" in the namespace "${namespace}"`);
