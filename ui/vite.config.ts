import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Relative addresses: the same files are served by the window (a custom protocol) and by the browser door.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: { target: "es2022", outDir: "dist", assetsInlineLimit: 0 },
  // The tests run components' reactive state, so they need the browser's build of Svelte.
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
