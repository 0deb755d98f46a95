/** This edition has one tenant. Paths may name it or leave it out. */
const mainTenant = 'main';

export const isTenant = (segment: string): boolean => segment === mainTenant;
