# The server alone: it needs a MongoDB, named by MONGODB_URI (docker-compose.yml brings one).
#   docker build --tag wp-understudy .
#   docker run --read-only --env MONGODB_URI=mongodb://… --volume understudy:/data --publish 127.0.0.1:8080:8080 wp-understudy
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json tsconfig.cjs.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build

# sharp's binaries are optional packages like the embedded engine, so only the folder of the engine goes.
FROM node:20-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@0q \
  && node --eval "require('sharp')"

FROM node:20-slim
LABEL org.opencontainers.image.title="wp-understudy" \
  org.opencontainers.image.description="A stand-in for a WordPress calendar backend: speaks the REST API of The Events Calendar over MongoDB." \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
  UNDERSTUDY_HOST=0.0.0.0 \
  UNDERSTUDY_PORT=8080 \
  UNDERSTUDY_DATA=/data \
  UNDERSTUDY_EMBEDDED=no
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY fixtures ./fixtures
RUN install --directory --owner=node --group=node /data
USER node
# Images; all else is in the database, and nothing is written elsewhere.
VOLUME ["/data"]
EXPOSE 8080
# A list of one event: it takes the whole way to the database. QA routes are there with a token only.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.UNDERSTUDY_PORT}/wp-json/tribe/events/v1/events?per_page=1`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
