/** The parts of the family that types of services compatible with AWS use. */

export { toAttributes } from '../databases/attributes.ts';
export { putItem, readItem, readItems, removeItem } from '../databases/items.ts';
export { listObjects, type S3Entry } from '../s3/listObjects.ts';
export { copyObject, deleteObject, disposeOf, downloadObject } from '../s3/objects.ts';
export { S3 } from '../s3/s3.ts';
export { uploadObject } from '../s3/upload.ts';
export { metadataHeaders } from '../s3/uploadTask.ts';
export { AwsClient, type Credentials, type Dialect, readText } from './awsClient.ts';
export { services } from './services.ts';
