export const help = `Millrace runs flows: tasks in YAML, started by people, webhooks and other programs.

Usage: millrace [server standalone|local] [options]

  -c, --config FILE         settings as a YAML file
      --data DIR            where everything is kept (default ./data)
      --host ADDRESS        address to listen on (default 127.0.0.1)
      --port N              web app and API (default 8080)
      --management-port N   health and metrics (default 8081)
      --database-url URL    use PostgreSQL (postgres://…) instead of SQLite in the data folder
      --worker-thread N     tasks that run at the same time (default 8 per core)
      --insecure            listen on a public address without authentication
  -v, --version             print the version
  -h, --help                print this

Every setting can also be given as an environment variable: server.port is MILLRACE_SERVER_PORT.
`;
