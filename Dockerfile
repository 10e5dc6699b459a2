# The newest Node 24 and Debian that there are when it is built (docker build --pull); what npm installs
# is fixed by the lock file, hash by hash. npm scripts do not run: no package needs one.
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# `docker exec feedhouse feedhouse check` runs a command, which says what to do next there.
ENV PATH=/app/bin:$PATH FEEDHOUSE_PLATFORM=container
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY LICENSE ./
COPY bin bin
COPY src src
COPY templates templates
# Files come with the modes of the clone, which a strict umask keeps from other users.
RUN find . -name node_modules -prune -o -exec chmod a+rX {} + && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A young generation that stays in the CPU's caches makes answers a fifth cheaper: docs/performance.md.
CMD ["node", "--max-semi-space-size=8", "src/main.ts", "serve"]
