# One image with everything, the embedded database engine included:
#   docker build --tag wp-understudy .
#   docker run --publish 8080:8080 wp-understudy                         then http://localhost:8080/events/
# Hardened: --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges
# With a test surface, an own dataset, and content that stays:
#   docker run --publish 8080:8080 --env UNDERSTUDY_QA_TOKEN=… --env UNDERSTUDY_DATASET=/datasets/calendar.yaml \
#     --volume "$PWD/datasets:/datasets:ro" --volume understudy:/data wp-understudy
# With a MongoDB elsewhere: --env MONGODB_URI=mongodb://…
# Without the engine, which has a licence of its own (SSPL): docker build --build-arg ENGINE=no .
FROM node:20.20.2-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json tsconfig.cjs.json ./
COPY scripts ./scripts
COPY src ./src
COPY fixtures ./fixtures
RUN npm run build

# sharp's binaries are optional packages like the engine, so only the folder of the engine goes.
FROM node:20.20.2-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0 AS packages
ARG ENGINE=yes
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
  && if [ "$ENGINE" = no ]; then rm -rf node_modules/@0q; fi \
  && node --eval "require('sharp')"

FROM node:20.20.2-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0
LABEL org.opencontainers.image.title="wp-understudy" \
  org.opencontainers.image.description="A stand-in for a WordPress calendar backend: speaks the REST API of The Events Calendar over MongoDB." \
  org.opencontainers.image.licenses="MIT AND SSPL-1.0 AND LGPL-3.0-or-later"
# Links follow the request: the port is published under whatever number, and other containers see another name.
ENV NODE_ENV=production \
  UNDERSTUDY_HOST=0.0.0.0 \
  UNDERSTUDY_PORT=8080 \
  UNDERSTUDY_URL=request \
  UNDERSTUDY_DATA=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY fixtures ./fixtures
RUN install --directory --owner=node --group=node /data node_modules/.cache
# A number: Kubernetes can tell that it is not root (runAsNonRoot).
USER 1000:1000
# The first start keeps what it compiled, and adapts the engine to the system: so it is part of the build, which fails if it does.
RUN if [ -d node_modules/@0q ]; then \
  node --input-type=module --eval "import { createServer } from 'wp-understudy'; await (await createServer({ data: '/tmp/first' })).close()" \
  && rm -r /tmp/first; fi
# Database and images. Besides, sockets are made in /tmp.
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.UNDERSTUDY_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
