import { choice, flag, integer, listOf, mapOf, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { Google } from '../google/client.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, textAt, textsAt } from '../google/json.ts';
import { bucketUrl, deleteObject, listObjects, storageUrl } from './objects.ts';

const accessControl = () =>
  listOf(
    part({
      entity: part({
        type: choice(['DOMAIN', 'GROUP', 'USER']).describe('What the value names.'),
        value: text().describe('The domain, or the mail address.'),
      }).describe('Who has access.'),
      role: choice(['READER', 'WRITER', 'OWNER']).describe('What they may do.'),
    }),
  ).optional();

const storageClasses = [
  'REGIONAL',
  'MULTI_REGIONAL',
  'NEARLINE',
  'COLDLINE',
  'STANDARD',
  'ARCHIVE',
  'DURABLE_REDUCED_AVAILABILITY',
] as const;

const bucketProperties = {
  name: text().describe('The name of the bucket.'),
  requesterPays: flag().optional().describe('The caller pays for requests and downloads.'),
  versioningEnabled: flag().optional().describe('Keep versions that were replaced or deleted.'),
  indexPage: text().optional().describe('The index page, for a bucket that is a web site.'),
  notFoundPage: text().optional().describe('The page for missing objects, for a bucket that is a web site.'),
  lifecycleRules: listOf(
    part({
      condition: part({ age: integer({ min: 0 }).describe('The age in days.') }).describe(
        'When the rule applies.',
      ),
      action: part({
        type: choice(['DELETE', 'SET_STORAGE_CLASS']).describe('What happens.'),
        value: text().optional().describe('The storage class, for `SET_STORAGE_CLASS`.'),
      }).describe('What the rule does.'),
    }),
  )
    .optional()
    .describe('What happens to objects when they get old.'),
  storageClass: choice(storageClasses).optional().describe('The class of new objects.'),
  location: text().optional().describe('Where the bucket is, such as `EU` or `europe-west1`.'),
  cors: listOf(
    part({
      maxAgeSeconds: integer({ min: 0 }).optional().describe('How long a browser keeps the answer.'),
      methods: listOf(choice(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS']))
        .optional()
        .describe('The allowed methods.'),
      origins: listOf(text()).optional().describe('The allowed origins.'),
      responseHeaders: listOf(text()).optional().describe('The headers that a browser may read.'),
    }),
  )
    .optional()
    .describe('Which web sites may read the bucket.'),
  acl: accessControl().describe('Who may reach the bucket.'),
  defaultAcl: accessControl().describe('Who may reach new objects.'),
  labels: mapOf(text()).optional().describe('Labels of the bucket.'),
  defaultKmsKeyName: text().optional().describe('The key that encrypts new objects.'),
  defaultEventBasedHold: flag().optional().describe('New objects have an event-based hold.'),
  retentionPeriod: integer({ min: 1 }).optional().describe('How long objects cannot be deleted, in seconds.'),
  iamConfiguration: part({
    uniformBucketLevelAccessEnabled: flag().optional().describe('Only IAM decides, not access lists.'),
    publicAccessPrevention: text().optional().describe('`ENFORCED` or `INHERITED`.'),
  })
    .optional()
    .describe('How access is decided.'),
  logging: part({
    logBucket: text().optional().describe('The bucket of the access logs.'),
    logObjectPrefix: text().optional().describe('The start of their names.'),
  })
    .optional()
    .describe('Where access logs go.'),
};

type BucketInput = z.infer<z.ZodObject<typeof bucketProperties>>;

const toAcl = (entries: BucketInput['acl']) =>
  entries?.map(({ entity, role }) => ({ entity: `${entity.type.toLowerCase()}-${entity.value}`, role }));

/** The Cloud Storage resource of the bucket. */
function toResource(input: BucketInput): Json {
  const { indexPage, notFoundPage, requesterPays, versioningEnabled, iamConfiguration, retentionPeriod } =
    input;
  const uniform = iamConfiguration?.uniformBucketLevelAccessEnabled;
  return dropMissing({
    billing: requesterPays === undefined ? undefined : { requesterPays },
    versioning: versioningEnabled === undefined ? undefined : { enabled: versioningEnabled },
    website:
      indexPage === undefined && notFoundPage === undefined
        ? undefined
        : dropMissing({ mainPageSuffix: indexPage, notFoundPage }),
    lifecycle: input.lifecycleRules && {
      rule: input.lifecycleRules.map(({ condition, action }) => ({
        condition,
        action:
          action.type === 'DELETE'
            ? { type: 'Delete' }
            : { type: 'SetStorageClass', storageClass: action.value },
      })),
    },
    storageClass: input.storageClass,
    location: input.location,
    cors: input.cors?.map(({ maxAgeSeconds, methods, origins, responseHeaders }) =>
      dropMissing({ maxAgeSeconds, method: methods, origin: origins, responseHeader: responseHeaders }),
    ),
    acl: toAcl(input.acl),
    defaultObjectAcl: toAcl(input.defaultAcl),
    labels: input.labels,
    encryption:
      input.defaultKmsKeyName === undefined ? undefined : { defaultKmsKeyName: input.defaultKmsKeyName },
    defaultEventBasedHold: input.defaultEventBasedHold,
    retentionPolicy: retentionPeriod === undefined ? undefined : { retentionPeriod: String(retentionPeriod) },
    iamConfiguration:
      iamConfiguration &&
      dropMissing({
        uniformBucketLevelAccess: uniform === undefined ? undefined : { enabled: uniform },
        publicAccessPrevention: iamConfiguration.publicAccessPrevention?.toLowerCase(),
      }),
    logging: input.logging && dropMissing(input.logging),
  });
}

const bucketOutput = z.object({
  bucket: z
    .object({
      name: z.string().describe('The name.'),
      uri: z.string().describe('The address, such as `gs://bucket`.'),
      location: z.string().optional().describe('Where the bucket is.'),
      indexPage: z.string().optional().describe('The index page.'),
      notFoundPage: z.string().optional().describe('The page for missing objects.'),
    })
    .describe('The bucket.'),
  updated: z.boolean().describe('Whether an existing bucket was changed.'),
  created: z.boolean().describe('Whether the bucket was created.'),
});

function toOutput(json: Json): z.infer<typeof bucketOutput>['bucket'] {
  const name = textAt(json, 'name') ?? '';
  const website = mapAt(json, 'website');
  return dropMissing({
    name,
    uri: `gs://${name}`,
    location: textAt(json, 'location'),
    indexPage: textAt(website, 'mainPageSuffix'),
    notFoundPage: textAt(website, 'notFoundPage'),
  });
}

async function update(
  google: Google,
  { location: _, ...input }: BucketInput,
): Promise<z.infer<typeof bucketOutput>> {
  const { body } = await google.json({
    url: bucketUrl(input.name),
    method: 'PATCH',
    body: toResource(input),
    idempotent: true,
  });
  return { bucket: toOutput(body), updated: true, created: false };
}

export const createBucket = defineGcpTask({
  type: 'gcp.gcs.CreateBucket',
  title: 'Create a bucket',
  description:
    'Creates a bucket. `ifExists` says what happens when the project has one of that name: fail, change it, or leave it.',
  properties: {
    ...bucketProperties,
    ifExists: choice(['ERROR', 'UPDATE', 'SKIP'])
      .default('ERROR')
      .describe('What to do with a bucket that exists.'),
  },
  output: bucketOutput,
  examples: [
    taskExample(
      'gcp.gcs.CreateBucket',
      'Create a bucket whose objects live for a month.',
      'name: my-bucket\nlocation: EU\nifExists: SKIP\nlifecycleRules:\n  - condition:\n      age: 30\n    action:\n      type: DELETE',
    ),
  ],
  async run({ google, project }, { ifExists, ...input }) {
    const { status, body } = await google.json({
      url: `${storageUrl}/b`,
      method: 'POST',
      query: { project: await project() },
      body: { name: input.name, ...toResource(input) },
      allow: ifExists === 'ERROR' ? [] : [409],
    });
    if (status !== 409) return { bucket: toOutput(body), updated: false, created: true };
    if (ifExists === 'UPDATE') return update(google, input);
    return { bucket: toOutput(await google.get(bucketUrl(input.name))), updated: false, created: false };
  },
});

export const updateBucket = defineGcpTask({
  type: 'gcp.gcs.UpdateBucket',
  title: 'Change a bucket',
  description:
    'Changes the properties of a bucket that are given. The location of a bucket cannot be changed.',
  properties: bucketProperties,
  output: bucketOutput,
  examples: [
    taskExample('gcp.gcs.UpdateBucket', 'Keep old versions.', 'name: my-bucket\nversioningEnabled: true'),
  ],
  run: ({ google }, input) => update(google, input),
});

export const deleteBucket = defineGcpTask({
  type: 'gcp.gcs.DeleteBucket',
  title: 'Delete a bucket',
  description:
    'Deletes a bucket, which must be empty. With `force` all objects and their versions are deleted first.',
  properties: {
    name: text().describe('The name of the bucket.'),
    force: flag().default(false).describe('Delete the objects of the bucket too.'),
  },
  output: () =>
    z.object({
      bucket: z.string().describe('The name of the bucket.'),
      bucketUri: z.string().describe('Its address.'),
    }),
  examples: [taskExample('gcp.gcs.DeleteBucket', 'Delete a bucket.', 'name: my-bucket')],
  async run({ google }, { name, force }) {
    if (force) {
      const everything = {
        from: `gs://${name}`,
        listingType: 'RECURSIVE',
        allVersions: true,
        filter: 'FILES',
      } as const;
      for await (const { blob, generation } of listObjects(google, everything))
        await deleteObject(google, blob, generation);
    }
    await google.json({ url: bucketUrl(name), method: 'DELETE' });
    return { bucket: name, bucketUri: `gs://${name}` };
  },
});

const maxTries = 5;

export const createIamPolicy = defineGcpTask({
  type: 'gcp.gcs.CreateBucketIamPolicy',
  title: 'Give a member a role on a bucket',
  description: 'Adds a member to a role in the IAM policy of a bucket. The other members keep their roles.',
  properties: {
    name: text().describe('The name of the bucket.'),
    member: text().describe('Who gets the role, such as `user:ada@example.com` or `allUsers`.'),
    role: text().describe('The role, such as `roles/storage.objectViewer`.'),
    ifExists: choice(['ERROR', 'SKIP'])
      .default('SKIP')
      .describe('What to do when the member has the role already.'),
  },
  output: () =>
    z.object({
      bucket: z.string().describe('The name of the bucket.'),
      member: z.string().describe('The member.'),
      role: z.string().describe('The role.'),
      created: z.boolean().describe('Whether the policy was changed.'),
    }),
  examples: [
    taskExample(
      'gcp.gcs.CreateBucketIamPolicy',
      'Let a user read the objects.',
      'name: my-bucket\nmember: user:ada@example.com\nrole: roles/storage.objectViewer',
    ),
  ],
  async run({ google }, { name, member, role, ifExists }) {
    const url = `${bucketUrl(name)}/iam`;
    for (let tries = 1; ; tries++) {
      const policy = await google.get(url, { optionsRequestedPolicyVersion: 3 });
      const bindings = mapsAt(policy, 'bindings');
      // A binding with a condition is another one, even of the same role.
      const binding = bindings.find((each) => textAt(each, 'role') === role && each.condition === undefined);
      if (binding && textsAt(binding, 'members').includes(member)) {
        if (ifExists === 'ERROR')
          throw new TaskFailed(`"${member}" has the role "${role}" on the bucket "${name}" already.`, {
            retry: false,
          });
        return { bucket: name, member, role, created: false };
      }
      const changed = binding
        ? bindings.map((each) =>
            each === binding ? { ...each, members: [...textsAt(each, 'members'), member] } : each,
          )
        : [...bindings, { role, members: [member] }];
      // The policy has an etag: Google rejects the update after a concurrent change, and the policy is read
      // again.
      const { status } = await google.json({
        url,
        method: 'PUT',
        body: { ...policy, bindings: changed },
        allow: tries < maxTries ? [409, 412] : [],
      });
      if (status < 300) return { bucket: name, member, role, created: true };
    }
  },
});
