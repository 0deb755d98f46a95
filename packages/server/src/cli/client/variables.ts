/** Environment variables of the client commands; a server ignores them without a warning. */
export const clientVariables = ['MILLRACE_SERVER', 'MILLRACE_USER', 'MILLRACE_API_TOKEN', 'MILLRACE_OUTPUT'];
