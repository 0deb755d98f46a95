import type { BodyKind, Endpoint } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the body of this route is read; the content type cannot change it. */
    bodyKind?: BodyKind;
    /** The call of the contract that this route implements. */
    endpoint?: Endpoint;
  }
}

/** The call of the contract that a request is; undefined for an address without one. */
export const endpointOf = ({ routeOptions }: FastifyRequest): Endpoint | undefined =>
  routeOptions.config.endpoint;
