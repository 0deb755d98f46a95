import { z } from 'zod';

export interface EncryptionMaterial {
  readonly queryStageMasterKey: string;
  readonly queryId: string;
  readonly smkId: string;
}

/** Stages that the cloud encrypts have no key for the client. */
const material = z
  .object({
    queryStageMasterKey: z.string().nullish(),
    queryId: z.string().nullish(),
    smkId: z.union([z.string(), z.number()]).nullish(),
  })
  .nullish()
  .transform((given): EncryptionMaterial | undefined =>
    given?.queryStageMasterKey
      ? {
          queryStageMasterKey: given.queryStageMasterKey,
          queryId: given.queryId ?? '',
          smkId: String(given.smkId ?? ''),
        }
      : undefined,
  );

const optionalText = z
  .string()
  .nullish()
  .transform((value) => value || undefined);

/** Where the files of a stage are stored, with credentials that expire soon. */
export const stageInfo = z.object({
  locationType: z.string(),
  /** The bucket or container, and the folder of the stage in it. */
  location: z.string(),
  region: optionalText,
  endPoint: optionalText,
  /** Azure. */
  storageAccount: optionalText,
  /** Google Cloud Storage without an access token. */
  presignedUrl: optionalText,
  useRegionalUrl: z.boolean().nullish(),
  useVirtualUrl: z.boolean().nullish(),
  isClientSideEncrypted: z.boolean().nullish(),
  creds: z.record(z.string(), z.string().nullish()).nullish(),
});
export type StageInfo = z.infer<typeof stageInfo>;

/** The response to `PUT`. */
export const uploadResponse = z.object({
  stageInfo,
  encryptionMaterial: material,
});

/** The response to `GET`: the files whose names begin with the requested one. */
export const downloadResponse = z.object({
  stageInfo,
  src_locations: z.array(z.string()),
  encryptionMaterial: z.array(material).nullish(),
  presignedUrls: z.array(optionalText).nullish(),
});
