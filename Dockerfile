# syntax=docker/dockerfile:1

# Everything that building needs stays in this stage. The second install leaves only the packages that the built
# server loads at run time: those of the store and of the plugins, which are not bundled.
FROM node:22-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm run build \
  && npm ci --omit=dev --workspace packages/store --workspace plugins --no-audit --no-fund \
  && rm -rf node_modules/@millrace

FROM node:22-slim
ENV NODE_ENV=production \
  MILLRACE_SERVER_HOST=0.0.0.0 \
  MILLRACE_DATA=/data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/content content
COPY --from=build /app/scripts/millrace-sealed scripts/
COPY package.json LICENSE ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Listening on every address needs credentials: set MILLRACE_AUTH_USERNAME and MILLRACE_AUTH_PASSWORD.
# Tasks run as the same user: the secrets must not stand in the environment that they could read.
ENTRYPOINT ["sh", "scripts/millrace-sealed", "node", "--max-semi-space-size=24", "dist/server/millrace.js"]
