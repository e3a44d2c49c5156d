// Empty on purpose: depending on this target is all there is to its use.
