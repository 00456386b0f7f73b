# The service and its signer in one image. The arguments of a container say what it runs: `serve --role api`, `migrate`, `doctor`.
# The packages of a release are made and installed here as on any other machine.

FROM node:24.20.0-bookworm@sha256:be23f54a88d34e8824c741b19b91064094f92c1c97b194144bfc8b50d67258e2 AS packages
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm run release:packages --silent -- /packages

FROM node:24.20.0-bookworm@sha256:be23f54a88d34e8824c741b19b91064094f92c1c97b194144bfc8b50d67258e2 AS installation
WORKDIR /app
COPY --from=packages /packages ./
RUN npm ci --omit=dev --no-audit --no-fund && rm ./*.tgz
# Types, source maps and tests of dependencies are never loaded.
RUN find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.md' ')' -delete
RUN find node_modules -type d -not -path '*/@daric/*' '(' -name test -o -name docs -o -name examples ')' -prune -exec rm -r '{}' +
# Node without its symbols, and the two libraries that the last stage lacks.
RUN libraries=/usr/lib/$(uname -m)-linux-gnu; \
    mkdir -p /runtime$libraries /runtime/usr/local/bin /runtime/var/lib/daric-signer \
    && chmod 700 /runtime/var/lib/daric-signer && cp -L $libraries/libstdc++.so.6 $libraries/libgcc_s.so.1 /runtime$libraries/ \
    && strip -o /runtime/usr/local/bin/node /usr/local/bin/node

# glibc, certificates and time zones; no shell and no package manager.
FROM gcr.io/distroless/base-nossl-debian12:nonroot@sha256:be40c00dfabd86576d92666e87e406714d5618342de1a0c213ad232de255172e
COPY --from=installation /runtime/usr/ /usr/
# The signer's volume gets this owner.
COPY --from=installation --chown=65532:65532 /runtime/var/lib/daric-signer/ /var/lib/daric-signer/
COPY --from=installation /app/node_modules/ /app/node_modules/
ENV NODE_ENV=production HOST=0.0.0.0
USER 65532:65532
WORKDIR /app
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:9464/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/app/node_modules/@daric/server/bin/daric.js"]
CMD ["serve", "--role", "all"]
