import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { flag } from '../paging.ts';

/** Longest user name and longest password, in characters. */
export const maxCredentialLength = 256;
/** Minimum length of a new password; shorter passwords that were set before still work. */
export const minPasswordLength = 8;

const Username = z
  .string()
  .min(1, 'Email is required')
  .max(maxCredentialLength, 'Email must not exceed 256 characters');
const Password = z
  .string()
  .min(1, 'Password is required')
  .max(maxCredentialLength, 'Password must not exceed 256 characters');

/** A password that is being set, over the API or in the configuration. */
export const NewPassword = Password.min(
  minPasswordLength,
  `Password must have at least ${minPasswordLength} characters`,
);

export const Login = z.object({ username: Username, password: Password });
export type Login = z.infer<typeof Login>;

/** The signed-in user. Scripts cannot read the session cookies. */
export const Session = z.object({
  username: z.string(),
  /** When the session must be renewed with the refresh cookie; absent for a request that sent its password. */
  expiresAt: z.iso.datetime().optional(),
  /** When the user must sign in again. */
  endsAt: z.iso.datetime().optional(),
});
export type Session = z.infer<typeof Session>;

/** Sets the session and refresh cookies. 401 "Incorrect username or password"; 429 after too many attempts. */
export const login = endpoint({
  method: 'POST',
  path: '/login',
  base: 'server',
  access: 'anyone',
  summary: 'Signs in and sets the cookies of a session',
  body: Login,
  reply: Session,
});

/** Replaces the cookies of the request with new ones, or returns 401. The body is empty. */
export const renewSession = endpoint({
  method: 'POST',
  path: '/oauth/access_token',
  base: 'server',
  access: 'anyone',
  summary: 'Renews the session with the refresh cookie',
  query: z.looseObject({ grant_type: z.literal('refresh_token') }),
  reply: Session,
});

/** Returns 204 whether or not there was a session; with `everywhere` all sessions of the user end. */
export const logout = endpoint({
  method: 'POST',
  path: '/logout',
  base: 'server',
  access: 'anyone',
  summary: 'Ends the session, or all sessions of the user',
  query: z.looseObject({ everywhere: flag(false) }),
});

/** 401 when authentication is on and the request has no session; no user name when it is off. */
export const getSession = endpoint({
  method: 'GET',
  path: '/sessions/current',
  summary: 'Tells who is signed in',
  reply: Session.partial(),
});

export const BasicAuth = z.object({
  username: Username.regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/,
    'Email must be an e-mail address',
  ),
  password: NewPassword,
  uid: z.string().max(256).optional(),
  /** Printed in the server's log; required when a server that others can reach has no credentials yet. */
  setupToken: z.string().max(256).optional(),
});
export type BasicAuth = z.infer<typeof BasicAuth>;

/** Effective for the next request; all signed-in users must sign in again. */
export const saveBasicAuth = endpoint({
  method: 'POST',
  path: '/basicAuth',
  summary: 'Sets the user name and password that every request needs from now on',
  body: BasicAuth,
});
