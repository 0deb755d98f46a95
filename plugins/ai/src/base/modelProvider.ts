import type { EmbeddingModelV3, LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { aPart, createPart, type Properties, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type { ChatConfiguration } from './chatConfiguration.ts';

export const modelPlace = 'ModelProvider';

/** An image as a service returns it: an address, or its bytes. */
export type GeneratedImage =
  | { readonly url: string }
  | { readonly base64: string; readonly mediaType: string };

/** A model of a service, as the tasks use it. A service without such models lacks the function. */
export interface ModelProvider {
  /** The name of the service, for messages and metrics. */
  readonly name: string;
  readonly modelName: string;
  chat?(): Promise<LanguageModelV3>;
  /** Whether responses of the chat model can be read while they are generated. */
  readonly canStream?: boolean;
  embedding?(): Promise<EmbeddingModelV3>;
  image?(prompt: string): Promise<GeneratedImage>;
  /** Settings that are specific to this service. */
  options?(configuration: ChatConfiguration): SharedV3ProviderOptions;
  readonly embeddingOptions?: SharedV3ProviderOptions;
  /** The limit of output tokens when the configuration names none. */
  readonly maxTokens?: number | undefined;
  /** Set on the system message when prompts are cached. */
  readonly cacheOptions?: SharedV3ProviderOptions;
}

export const providerProperty = () => aPart(modelPlace).describe('The service and the model.');

export const createProvider = (context: TaskContext, written: Properties, isRendered = true) =>
  createPart<ModelProvider>(context, modelPlace, written, { isRendered });

export const modelProperties = () => ({
  modelName: text().describe('The name of the model.'),
  ...certificateProperties(),
});

export const baseUrlProperty = () =>
  text().optional().describe('Another address of the API, such as that of a proxy.');

const certificateProperties = () => ({
  clientPem: text()
    .optional()
    .describe('The certificate and the private key of the client in PEM, for services that ask for them.'),
  caPem: text().optional().describe('The certificates in PEM of the authorities to trust.'),
});

interface Certificates {
  readonly clientPem?: string | undefined;
  readonly caPem?: string | undefined;
}

/** The certificates of a request; the PEM of the client holds both its certificate and its key. */
export const certificatesOf = ({ clientPem, caPem }: Certificates) =>
  clientPem === undefined && caPem === undefined
    ? {}
    : {
        certificates: {
          ...(caPem !== undefined && { ca: caPem }),
          ...(clientPem !== undefined && { cert: clientPem, key: clientPem }),
        },
      };

export function chatModelOf(provider: ModelProvider): Promise<LanguageModelV3> {
  if (!provider.chat) throw lacks(provider, 'chat');
  return provider.chat();
}

export function embeddingModelOf(provider: ModelProvider): Promise<EmbeddingModelV3> {
  if (!provider.embedding) throw lacks(provider, 'embedding');
  return provider.embedding();
}

export function generateImage(provider: ModelProvider, prompt: string): Promise<GeneratedImage> {
  if (!provider.image) throw lacks(provider, 'image');
  return provider.image(prompt);
}

const lacks = ({ name }: ModelProvider, kind: string) =>
  new TaskFailed(`${name} has no ${kind} models; use another provider.`, { retry: false });
