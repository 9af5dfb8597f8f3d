"""3D PanzerBlitz: platoons and companies on the Eastern Front, with secret plots and assigned opportunity fire."""
