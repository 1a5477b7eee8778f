# syntax=docker/dockerfile:1
# The package as npm installs it; packing it needs only Node.
FROM node:24-slim AS package
WORKDIR /sources
COPY . .
RUN npm pack --loglevel=error && mkdir /app && tar -xzf privet-*.tgz -C /app --strip-components=1

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Production needs no install scripts: this image provides Node.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM node:24-slim
# Makes the allocator return the memory of large bodies (docs/performance.md, "Large requests").
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=8388608
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    GATEWAY_HOST=0.0.0.0 \
    PROXY_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=package /app ./
# The CA key lives in /data: only the user that runs the gateway can read it. Mount the roots of your own network
# into the other folder, which the base image lacks; the public ones are in Node.
RUN install -d -m 0700 -o node -g node /data && install -d /etc/ssl/certs
USER node
VOLUME /data
EXPOSE 3128 3001
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3001}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "bin/privet.cjs", "serve"]
