import type { Services } from './services.ts';

/** Puts the mail server of the test, which has no TLS, in the place of the one in the blueprint. */
export const smtpEdits = async (services: Services) =>
  [
    ['host: smtp.example.com', 'host: 127.0.0.1'],
    ['port: 587', `port: ${(await services.smtp()).port}`],
    ['transportStrategy: SMTP_TLS', 'transportStrategy: SMTP'],
  ] as const;
