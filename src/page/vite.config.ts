import { defineConfig } from "vite";

// The built files are part of the package; their names are fixed, so that a build replaces them.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../exactile/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
