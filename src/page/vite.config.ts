import { defineConfig, type UserConfig } from "vite";

// The built files are part of the package; their names are fixed, so that a build replaces them.
const page: UserConfig = {
  base: "./",
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "[name].js" } } },
  build: {
    outDir: "../exactile/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: "index.html", offline: "code/site/offline.ts" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
};

// Scripts that stand within pages of one file, too: each is all that it needs.
function alone(name: string): UserConfig {
  return {
    build: {
      outDir: "../exactile/render/built",
      emptyOutDir: false,
      chunkSizeWarningLimit: 600,
      lib: { entry: `code/${name}.ts`, formats: ["iife"], name, fileName: () => `${name}.js` },
    },
  };
}

export default defineConfig(({ mode }) => (mode === "production" ? page : alone(mode)));
