/** What the commands of the client read from the environment; a server that finds them there must not wonder. */
export const clientVariables = ['MILLRACE_SERVER', 'MILLRACE_USER', 'MILLRACE_API_TOKEN', 'MILLRACE_OUTPUT'];
