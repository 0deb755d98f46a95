import type { JsonMap } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { type InputOf, may, type Properties, preset } from '../rest/properties.ts';
import { github } from './github.ts';

interface Search<P extends Properties> {
  readonly type: string;
  readonly title: string;
  readonly what: string;
  readonly properties: P;
  /** The qualifiers of the search, by their names at GitHub. */
  readonly qualifiers: (input: InputOf<P>) => JsonMap;
  /** The default order; GitHub sorts by the best match when there is none. */
  readonly sort?: (input: InputOf<P>) => string | undefined;
  readonly example: JsonMap;
}

const query = { query: may.text('The words to search for; qualifiers of GitHub may stand in it.') };
const order = { order: preset.choice(['ASC', 'DESC'], 'ASC', 'The direction of the order.') };

/** A search of the API. It returns at most 1,000 rows, which is the limit of GitHub. */
function search<P extends Properties>({ qualifiers, sort, properties, what, ...words }: Search<P>) {
  return github.task({
    ...words,
    description: `Searches ${what} with the search of GitHub. At most 1,000 rows are found, which is the limit of GitHub.`,
    properties: { ...query, ...properties, ...order },
    request: `GET /search/${words.type.replace(/\..*/, '').replace('pulls', 'issues')}` as const,
    query: (input) => {
      // `as`: the properties of the search are among those of the call.
      const own = input as unknown as InputOf<P> & InputOf<typeof query & typeof order>;
      const sortedBy = sort?.(own);
      return {
        q: [own.query, ...written(qualifiers(own))].filter(Boolean).join(' '),
        sort: sortedBy,
        order: sortedBy && own.order.toLowerCase(),
        per_page: 100,
      };
    },
    rows: { at: 'items', paging: { kind: 'link' }, fetchType: 'STORE' },
    output: { total: out.integer('How many matches GitHub knows of.', 'total_count') },
  });
}

/** `name:value` for each qualifier; an empty name is a plain search term. */
const written = (qualifiers: JsonMap): string[] =>
  Object.entries(qualifiers)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => (name.startsWith('=') ? String(value) : `${name}:${quoted(String(value))}`));

const quoted = (value: string): string => (/\s/.test(value) && !value.startsWith('"') ? `"${value}"` : value);
const lower = (value: string): string => value.toLowerCase().replaceAll('_', '-');

const stateOf = ({
  open,
  closed,
  merged,
}: {
  open?: boolean | undefined;
  closed?: boolean | undefined;
  merged?: boolean | undefined;
}) => ({
  '=open': open ? 'is:open' : undefined,
  '=closed': closed ? 'is:closed' : undefined,
  '=merged': merged ? 'is:merged' : undefined,
});

const inRepository = { repository: may.text('Only in this repository, as `owner/name`.') };

const code = search({
  type: 'code.Search',
  title: 'Search code',
  what: 'the files of repositories',
  properties: {
    ...inRepository,
    user: may.text('Only in repositories of this user.'),
    in: may.text('Where to look: `file` or `path`.'),
    language: may.text('The programming language.'),
    extension: may.text('The extension of the file.'),
    fork: may.choice(['PARENT_AND_FORKS', 'FORKS_ONLY', 'PARENT_ONLY'], 'Whether forks are searched.'),
    filename: may.text('The name of the file.'),
    path: may.text('The folder.'),
    size: may.text('The size of the file in bytes, such as `>1000`.'),
    sort: preset.choice(['BEST_MATCH', 'INDEXED'], 'BEST_MATCH', 'What the rows are sorted by.'),
  },
  qualifiers: ({ repository: repo, fork, sort: _, ...rest }) => ({
    repo,
    fork: fork === 'PARENT_AND_FORKS' ? 'true' : fork === 'FORKS_ONLY' ? 'only' : undefined,
    ...pick(rest, 'user', 'in', 'language', 'extension', 'filename', 'path', 'size'),
  }),
  sort: ({ sort }) => (sort === 'INDEXED' ? 'indexed' : undefined),
  example: { query: 'addClass', repository: 'jquery/jquery', language: 'js' },
});

const commits = search({
  type: 'commits.Search',
  title: 'Search commits',
  what: 'commits',
  properties: {
    ...inRepository,
    is: may.text('`public` or `private`.'),
    hash: may.text('The hash of the commit.'),
    parent: may.text('The hash of a parent.'),
    tree: may.text('The hash of the tree.'),
    user: may.text('Only in repositories of this user.'),
    org: may.text('Only in repositories of this organization.'),
    author: may.text('The author.'),
    authorDate: may.text('When it was written, such as `>2026-01-01`.'),
    authorEmail: may.text('The mail address of the author.'),
    authorName: may.text('The name of the author.'),
    committer: may.text('The committer.'),
    committerDate: may.text('When it was committed, such as `<2026-01-01`.'),
    committerEmail: may.text('The mail address of the committer.'),
    committerName: may.text('The name of the committer.'),
    merge: may.flag('Only merge commits, or none of them.'),
    sort: preset.choice(['COMMITTER_DATE', 'AUTHOR_DATE'], 'COMMITTER_DATE', 'What the rows are sorted by.'),
  },
  qualifiers: (input) => ({
    repo: input.repository,
    ...pick(input, 'is', 'hash', 'parent', 'tree', 'user', 'org', 'author'),
    'author-date': input.authorDate,
    'author-email': input.authorEmail,
    'author-name': input.authorName,
    committer: input.committer,
    'committer-date': input.committerDate,
    'committer-email': input.committerEmail,
    'committer-name': input.committerName,
    merge: input.merge,
  }),
  sort: ({ sort }) => lower(sort),
  example: { query: 'fix prices', repository: 'acme/orders', authorDate: '>2026-01-01' },
});

const issues = search({
  type: 'issues.Search',
  title: 'Search issues',
  what: 'issues',
  properties: {
    ...inRepository,
    mentions: may.text('Issues that mention this user.'),
    open: may.flag('Only open issues.'),
    closed: may.flag('Only closed issues.'),
    merged: may.flag('Only merged pull requests instead of issues.'),
    sort: preset.choice(['CREATED', 'UPDATED', 'COMMENTS'], 'CREATED', 'What the rows are sorted by.'),
  },
  qualifiers: (input) => ({
    is: input.merged ? 'pr' : 'issue',
    repo: input.repository,
    mentions: input.mentions,
    ...stateOf(input),
  }),
  sort: ({ sort }) => lower(sort),
  example: { query: 'label:bug', repository: 'acme/orders', open: true },
});

const pulls = search({
  type: 'pulls.Search',
  title: 'Search pull requests',
  what: 'pull requests',
  properties: {
    ...inRepository,
    mentions: may.text('Those that mention this user.'),
    reviewRequested: may.text('Those that wait for a review of this user.'),
    open: may.flag('Only open ones.'),
    closed: may.flag('Only closed ones.'),
    merged: may.flag('Only merged ones.'),
    draft: may.flag('Only drafts, or none of them.'),
    assigned: may.text('The user who is assigned.'),
    title: may.text('Words of the title.'),
    closedAt: may.text('When it was closed, such as `>2026-01-01`.'),
    createdAt: may.text('When it was created.'),
    updatedAt: may.text('When it was changed.'),
    commit: may.text('The hash of a commit in it.'),
    base: may.text('The branch that the changes are for.'),
    head: may.text('The branch with the changes.'),
    createdByMe: may.flag('Only those of the user of the token.'),
    author: may.text('The user who opened it.'),
    sort: preset.choice(['CREATED', 'UPDATED', 'COMMENTS'], 'CREATED', 'What the rows are sorted by.'),
  },
  qualifiers: (input) => ({
    is: 'pr',
    repo: input.repository,
    mentions: input.mentions,
    'review-requested': input.reviewRequested,
    ...stateOf(input),
    draft: input.draft,
    assignee: input.assigned,
    '=title': input.title && `${quoted(input.title)} in:title`,
    closed: input.closedAt,
    created: input.createdAt,
    updated: input.updatedAt,
    '=commit': input.commit,
    base: input.base,
    head: input.head,
    author: input.createdByMe ? '@me' : input.author,
  }),
  sort: ({ sort }) => lower(sort),
  example: { repository: 'acme/orders', open: true, title: 'new prices', sort: 'UPDATED' },
});

const repositories = search({
  type: 'repositories.Search',
  title: 'Search repositories',
  what: 'repositories',
  properties: {
    ...inRepository,
    language: may.text('The programming language.'),
    created: may.text('When it was created, such as `>2026-01-01`.'),
    stars: may.text('The number of stars, such as `>1000`.'),
    user: may.text('The owner.'),
    topic: may.text('A topic.'),
    visibility: may.choice(['PUBLIC', 'PRIVATE', 'INTERNAL'], 'Who can see the repository.'),
    sort: preset.choice(['UPDATED', 'STARS', 'FORKS'], 'UPDATED', 'What the rows are sorted by.'),
  },
  qualifiers: ({ repository: repo, visibility, ...rest }) => ({
    repo,
    ...pick(rest, 'language', 'created', 'stars', 'user', 'topic'),
    is: visibility && lower(visibility),
  }),
  sort: ({ sort }) => lower(sort),
  example: { query: 'workflow', language: 'typescript', stars: '>100', sort: 'STARS', order: 'DESC' },
});

const topics = search({
  type: 'topics.Search',
  title: 'Search topics',
  what: 'topics',
  properties: {
    is: may.choice(['CURATED', 'FEATURED', 'NOT_CURATED', 'NOT_FEATURED'], 'The kind of topic.'),
    repositories: may.text('The number of repositories, such as `>1000`.'),
    created: may.text('When it was created.'),
  },
  qualifiers: ({ is, ...rest }) => ({ is: is && lower(is), ...pick(rest, 'repositories', 'created') }),
  example: { query: 'orchestration', is: 'CURATED' },
});

const users = search({
  type: 'users.Search',
  title: 'Search users',
  what: 'users and organizations',
  properties: {
    language: may.text('The language of their repositories.'),
    created: may.text('When the account was created.'),
    repositories: may.integer('The number of repositories.'),
    in: may.text('Where to look: `login`, `name` or `email`.'),
    location: may.text('The place in the profile.'),
    followers: may.text('The number of followers, such as `>100`.'),
    accountType: may.choice(['USER', 'ORGANIZATION'], 'Users or organizations only.'),
    sort: preset.choice(['JOINED', 'REPOSITORIES', 'FOLLOWERS'], 'JOINED', 'What the rows are sorted by.'),
  },
  qualifiers: ({ repositories: repos, accountType, ...rest }) => ({
    ...pick(rest, 'language', 'created'),
    repos,
    ...pick(rest, 'in', 'location', 'followers'),
    type: accountType === 'ORGANIZATION' ? 'org' : accountType && 'user',
  }),
  sort: ({ sort }) => lower(sort),
  example: { query: 'ada', in: 'login', accountType: 'USER' },
});

const pick = <T extends object, K extends keyof T & string>(values: T, ...names: readonly K[]): JsonMap =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

export const githubSearches = [code, commits, issues, pulls, repositories, topics, users];
