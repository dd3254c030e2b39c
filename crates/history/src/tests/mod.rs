mod archive;
mod folder;
mod journals;
mod samples;
