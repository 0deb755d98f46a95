/** The only tenant there is. */
export const mainTenant = 'main';
