import { createHash } from 'node:crypto';
import { type AzureDouble, account, type DoubleResponse } from './azureDouble.ts';

interface StoredFile {
  content: Buffer;
  pending: Buffer;
  isDirectory: boolean;
  permissions: string;
  leaseId?: string | undefined;
  md5?: string | undefined;
  version: number;
}

const refuse = (status: number, code: string): DoubleResponse => ({
  status,
  headers: { 'x-ms-error-code': code },
  body: { error: { code, message: `${code}!` } },
});

/** Lets a double of Azure be a data lake: the rules of the REST protocol for paths, data, leases and lists. */
export function aDataLake(azure: AzureDouble) {
  const files = new Map<string, StoredFile>();
  let version = 0;
  const put = (name: string, text = '', isDirectory = false) =>
    files.set(name, {
      content: Buffer.from(text),
      pending: Buffer.alloc(0),
      isDirectory,
      permissions: 'rw-r-----',
      version: ++version,
    });
  azure.respond(({ method, path, query, headers, body }) => {
    const key = path.slice(`/${account}/`.length);
    if (query.resource === 'filesystem') return list(key, query);
    const file = files.get(key);
    if (method === 'PUT') return create(key, query, headers);
    if (!file) return refuse(404, 'PathNotFound');
    if (method === 'POST') return lease(file, headers);
    if (method === 'PATCH') return update(file, query, headers, body);
    if (method === 'DELETE') files.delete(key);
    return {
      headers: {
        etag: `"v${file.version}"`,
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        'content-length': String(method === 'DELETE' ? 0 : file.content.length),
        'content-type': 'application/octet-stream',
        'x-ms-resource-type': file.isDirectory ? 'directory' : 'file',
        'x-ms-permissions': file.permissions,
        'x-ms-acl': 'user::rw-,group::r--',
        'x-ms-lease-state': file.leaseId === undefined ? 'available' : 'leased',
        ...(file.md5 !== undefined && { 'content-md5': file.md5 }),
      },
      body: method === 'GET' ? file.content : '',
    };
  });

  type Words = Readonly<Record<string, unknown>>;

  function list(
    fileSystem: string,
    { directory = '', recursive, continuation }: Readonly<Record<string, string>>,
  ) {
    if (recursive !== 'false') return refuse(400, 'InvalidQueryParameterValue');
    const prefix = `${fileSystem}/${directory === '' ? '' : `${directory}/`}`;
    const found = [...files].filter(
      ([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'),
    );
    // Two entries a page, so that every list has several.
    const from = Number(continuation ?? 0);
    const paths = found
      .sort()
      .slice(from, from + 2)
      .map(([name, file]) => ({
        name: name.slice(fileSystem.length + 1),
        contentLength: String(file.content.length),
        ...(file.isDirectory && { isDirectory: 'true' }),
        etag: `v${file.version}`,
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
        permissions: file.permissions,
      }));
    const more: Record<string, string> =
      from + 2 < found.length ? { 'x-ms-continuation': String(from + 2) } : {};
    return { headers: more, body: { paths } };
  }

  function create(key: string, query: Words, headers: Words): DoubleResponse {
    const source = headers['x-ms-rename-source'];
    if (typeof source === 'string') {
      const from = decodeURIComponent(source.split('?')[0] ?? '').slice(1);
      const moved = files.get(from);
      if (!moved) return refuse(404, 'SourcePathNotFound');
      if (!files.has(key.split('/').slice(0, -1).join('/')))
        return refuse(404, 'RenameDestinationParentPathNotFound');
      files.delete(from);
      files.set(key, moved);
      return { status: 201 };
    }
    if (headers['if-none-match'] === '*' && files.has(key)) return refuse(409, 'PathAlreadyExists');
    put(key, '', query.resource === 'directory');
    return { status: 201 };
  }

  function lease(file: StoredFile, headers: Words): DoubleResponse {
    const action = headers['x-ms-lease-action'];
    if (action === 'acquire') {
      if (file.leaseId !== undefined) return refuse(409, 'LeaseAlreadyPresent');
      if (!/^[0-9a-f-]{36}$/.test(String(headers['x-ms-proposed-lease-id'])))
        return refuse(400, 'MissingRequiredHeader');
      file.leaseId = String(headers['x-ms-proposed-lease-id']);
    } else if (action !== 'break' && headers['x-ms-lease-id'] !== file.leaseId)
      return refuse(409, 'LeaseIdMismatchWithLeaseOperation');
    const id = file.leaseId;
    if (action === 'release' || action === 'break') file.leaseId = undefined;
    return { headers: id === undefined || action === 'break' ? {} : { 'x-ms-lease-id': id } };
  }

  function update(file: StoredFile, query: Words, headers: Words, body: Buffer): DoubleResponse {
    if (query.action === 'setAccessControl') {
      file.permissions = String(headers['x-ms-permissions']);
      return {};
    }
    if (file.leaseId !== undefined && headers['x-ms-lease-id'] !== file.leaseId)
      return refuse(412, 'LeaseIdMissing');
    const size = file.content.length + file.pending.length;
    if (Number(query.position) !== size) return refuse(400, 'InvalidFlushPosition');
    if (query.action === 'append') {
      const md5 = headers['content-md5'];
      if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64'))
        return refuse(400, 'Md5Mismatch');
      file.pending = Buffer.concat([file.pending, body]);
      return { status: 202 };
    }
    file.content = Buffer.concat([file.content, file.pending]);
    file.pending = Buffer.alloc(0);
    file.md5 = headers['x-ms-content-md5'] === undefined ? undefined : String(headers['x-ms-content-md5']);
    file.version = ++version;
    return {};
  }

  return { files, put };
}
